import { OperatorError } from '../platform/operator-error.ts'

/** A port that somebody else has. The message names it and the setting that changes it. */
class PortTaken extends OperatorError {
  override name = 'PortTaken'
}

/** Listens by `listen`; a port that is taken or not allowed is reported in one sentence that names `setting`. */
export async function listenOn(
  { host, port, setting }: { host: string; port: number; setting: string },
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const choose = `Choose another port with ${setting}.`
    if (code === 'EADDRINUSE')
      throw new PortTaken(`Port ${port} on ${host} is already in use. ${choose}`, { cause: error })
    if (code === 'EACCES')
      throw new PortTaken(`Port ${port} on ${host} may not be used by this user. ${choose}`, { cause: error })
    throw error
  }
}
