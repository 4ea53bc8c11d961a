import { useState } from 'react'
import { type SnapshotRef, snapshotFileAddress } from '../api/backups.ts'
import { useText } from '../i18n/text.ts'

/** Downloads a folder of a snapshot as an archive, where the server says that it makes one. */
export function useZip(snapshot: SnapshotRef) {
  const t = useText()
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function download(path: string) {
    const address = snapshotFileAddress(snapshot, path)
    setProblem(undefined)
    setAsking(true)
    // The download itself would leave a file with the refusal in it.
    const answer = await fetch(address, { method: 'HEAD' }).catch(() => undefined)
    setAsking(false)
    if (answer?.ok) location.assign(address)
    else setProblem(t(answer?.status === 413 ? 'backups.zipTooLarge' : 'backups.zipFailed'))
  }
  return { isAsking, problem, download: (path: string) => void download(path) }
}
