"""What the objects of a packfile mean."""
