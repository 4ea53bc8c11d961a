import { readFileSync } from 'node:fs'

/** Tells an agent that the launcher of the base chose its folder. */
export const chosenVariable = 'ATOLL_AGENT_CHOSEN'

/**
 * Begins this process again with its own command, so that its supervisor notices nothing. Returns where Node
 * cannot: then the process is to end, and is started again.
 */
export function startAgain(): void {
  const [, ...args] = readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(0, -1)
  const { [chosenVariable]: _, ...environment } = process.env
  process.execve?.(process.execPath, [process.execPath, ...args], environment)
}
