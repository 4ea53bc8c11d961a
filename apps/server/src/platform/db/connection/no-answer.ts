/**
 * A database that does not answer: it hangs, restarts, or has no connection left. The caller is asked to retry,
 * and a connection whose query was given up is closed: pg would send the next query behind the one that hangs.
 */
import { Client } from 'pg'

const queryTimedOut = 'Query read timeout'

/** As pg and its pool word what has no code. */
const messages: readonly string[] = [
  queryTimedOut,
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
]

/**
 * SQLSTATE: connection lost (class 08), too many connections, shutting down, crashed, starting; and those of sockets.
 */
const code = /^(08\w{3}|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/

/** Whether `error` says that the database did not answer, not that it refused a statement. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A server that is stopped has taken its socket away.
  if ('code' in error && error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return messages.includes(error.message) || ('code' in error && code.test(String(error.code)))
}

/** Closes itself when a query on it is given up (`query_timeout`); its pool then opens another. */
export class ClosingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: one method for all of pg's forms of a query, passed on as they are
  override query(...args: any[]): any {
    const answer: unknown = super.query(...(args as [string]))
    if (answer instanceof Promise) {
      answer.catch((error: Error) => {
        if (error.message === queryTimedOut) void this.end()
      })
    }
    return answer
  }
}
