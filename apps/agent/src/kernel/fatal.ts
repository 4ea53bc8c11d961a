/** How the process ends when it cannot go on; a supervisor may distinguish causes by the code. */
export const exitCodes = {
  /** Asked to stop (SIGTERM, SIGINT) and stopped in order. */
  ok: 0,
  /** A defect: see the last log line. */
  unexpected: 1,
  /** The environment is wrong; starting again changes nothing. */
  config: 2,
  /** Another agent runs on this home. */
  occupied: 3,
  /** The control plane refuses the enrollment token; starting again changes nothing. */
  refused: 4,
  /** The home folder cannot be used: permissions, a full disk, or a state file that does not parse. */
  home: 5,
  /** The control plane asked for a restart: start it again at once. */
  restart: 10,
  /** The owner gave the cluster up: what was to go is gone; starting again changes nothing. */
  left: 11,
  /** Another version of its program shall run: it begins again in the same process, or ends as for a restart. */
  otherProgram: 12,
} as const

/** Ends the agent with a sentence instead of a stack. */
export class Fatal extends Error {
  readonly exitCode: number
  constructor(cause: Exclude<keyof typeof exitCodes, 'ok'>, message: string) {
    super(message)
    this.name = 'Fatal'
    this.exitCode = exitCodes[cause]
  }
}
