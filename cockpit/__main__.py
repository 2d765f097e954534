"""``python -m cockpit`` is ``cockpit``."""

from cockpit.entry import main

if __name__ == "__main__":
    main()
