ATOLL_AGENT_HOME=/var/lib/atoll
ATOLL_AGENT_HOST=0.0.0.0
ATOLL_AGENT_PORT=8080
ATOLL_AGENT_CONTAINER=true
ATOLL_AGENT_INSTANCE={{ config_get("user.atoll.instance", "") }}
ATOLL_AGENT_CONTROL_URL={{ config_get("user.atoll.control-url", "") }}
ATOLL_AGENT_ENROLL_TOKEN={{ config_get("user.atoll.enroll-token", "") }}
ATOLL_AGENT_CPU_COUNT={{ config_get("user.atoll.cpu-count", "") }}
ATOLL_AGENT_MEMORY_MIB={{ config_get("user.atoll.memory-mib", "") }}
ATOLL_AGENT_DISK_MIB={{ config_get("user.atoll.disk-mib", "") }}
NODE_OPTIONS=--max-old-space-size={{ config_get("user.atoll.heap-mib", "128") }}
