/** An answer that was lost, late or not understood: it may or may not have happened. `why` is for the log. */
export interface Unknown {
  kind: 'unknown'
  why: string
}
