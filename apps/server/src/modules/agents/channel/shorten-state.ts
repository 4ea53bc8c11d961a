import type { AgentState } from '@atoll/contract/agents'

/**
 * `state` with as many of the newest lines of each step of its install as fit into `most` bytes of JSON; without lines
 * it may still be larger.
 */
export function shortenState(state: AgentState, most: number): AgentState {
  for (let lines = 200; sizeOf(state) > most && lines > 0; ) {
    // Each round leaves out at least half of what is there.
    lines = Math.floor(lines / 2)
    const steps = state.install.steps.map((step) => ({ ...step, lines: lines === 0 ? [] : step.lines.slice(-lines) }))
    state = { ...state, install: { ...state.install, steps } }
  }
  return state
}

function sizeOf(state: AgentState): number {
  return Buffer.byteLength(JSON.stringify(state))
}
