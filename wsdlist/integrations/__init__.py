"""wsdlist in other libraries; each module imports its library, nothing else does."""
