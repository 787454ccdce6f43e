"""The Havok 7.1 packfile container."""
