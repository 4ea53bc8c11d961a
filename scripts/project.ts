import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, absolute. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** Path of a program from one of our packages' dependencies. */
export function binaryOf(name: string): string {
  return join(projectRoot, 'node_modules', '.bin', name)
}
