//! awf-agents: agents behind one port.
