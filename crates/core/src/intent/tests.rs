//! Words read back.
