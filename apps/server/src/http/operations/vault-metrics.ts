import { byLabel, type Measurement } from './measurements.ts'

/** Figures about the vault. */
export interface MeasuredVault {
  all: {
    bytes: { live: number; reserved: number; trash: number }
    badFiles: number
    scrubLateSeconds: number
    isAtReserve: boolean
  }
  /** Undefined: this process is none. `answers`: by method and status, such as `GET 200`; `diskLeft`: null, no end. */
  here:
    | {
        bytes: { received: number; sent: number; scrubbed: number }
        answers: ReadonlyMap<string, number>
        diskLeft: number | null
      }
    | undefined
}

/** The metrics of the vault in `/metrics`. */
export function vaultMeasurements(read: () => Promise<MeasuredVault>): Measurement[] {
  let reading: Promise<MeasuredVault> | undefined
  /** All measurements of one answer are of the same reading. */
  const measure = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return [
    {
      isCounter: true,
      name: 'atoll_vault_bytes_total',
      help: 'Bytes that this vault received, sent, and read again to see whether they are sound.',
      labelNames: ['direction'],
      read: async () => byLabel('direction', (await measure()).here?.bytes ?? {}),
    },
    {
      isCounter: true,
      name: 'atoll_vault_answers_total',
      help: 'Answers of this vault.',
      labelNames: ['method', 'status'],
      read: async () =>
        [...((await measure()).here?.answers ?? [])].map(([key, count]) => {
          const [method = '', status = ''] = key.split(' ')
          return [count, { method, status }]
        }),
    },
    {
      name: 'atoll_vault_disk_left_bytes',
      help: 'Bytes that may still come to the disk of this vault; at 0 or below uploads are refused.',
      async read() {
        const left = (await measure()).here?.diskLeft ?? null
        return left === null ? [] : [[left]]
      },
    },
    {
      name: 'atoll_vault_disk_at_reserve',
      help: '1 while the disk of the vault is so full that backups are refused; trash then goes after a day.',
      read: async () => [[(await measure()).all.isAtReserve ? 1 : 0]],
    },
    {
      name: 'atoll_vault_bytes',
      help: 'Bytes that all accounts hold, that are on their way, and that are trash.',
      labelNames: ['state'],
      read: async () => byLabel('state', (await measure()).all.bytes),
    },
    {
      name: 'atoll_vault_bad_files',
      help: 'Files that are known to be damaged.',
      read: async () => [[(await measure()).all.badFiles]],
    },
    {
      name: 'atoll_vault_scrub_late_seconds',
      help: 'How long the file that is due longest has waited to be read again.',
      read: async () => [[(await measure()).all.scrubLateSeconds]],
    },
  ]
}
