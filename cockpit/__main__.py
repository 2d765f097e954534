"""``python -m cockpit`` is ``cockpit``."""

from cockpit.cli import main

if __name__ == "__main__":
    main()
