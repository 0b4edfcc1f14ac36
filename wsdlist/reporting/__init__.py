"""What people look at: text, a page, charts, plots."""
