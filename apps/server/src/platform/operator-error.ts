/**
 * A problem that only the person who runs the server can correct: a setting, a taken port, a file. `message` says in
 * whole sentences what is wrong and what to do; no stack is shown with it.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
