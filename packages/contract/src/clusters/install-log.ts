/** An agent's report on its install, as clients get it in `installLog`. */
import { z } from 'zod'
import { IsoTime } from '../wire/fields.ts'

export const installStepStates = ['pending', 'running', 'done', 'failed'] as const

/** One step of an install; `installLog` is JSON text of a list of them (design/lifecycle). */
export const InstallStep = z.object({
  /** A key of the console's step titles, such as `prepare`; an unknown key is shown as it is. */
  step: z.string().max(40),
  state: z.enum(installStepStates),
  startedAt: IsoTime.nullable(),
  endedAt: IsoTime.nullable(),
  /** At most 200 lines of at most 500 characters: `HH:MM:SS source message`. */
  lines: z.array(z.string().max(500)).max(200),
})
export type InstallStep = z.infer<typeof InstallStep>
export const InstallLog = z.array(InstallStep).max(40)
export type InstallLog = z.infer<typeof InstallLog>
