"""From corpora to models: preparing, tuning, fitting, parallel work."""
