"""The command line as ``python -m wsdlist``."""

from wsdlist.cli import main

if __name__ == "__main__":
    main()
