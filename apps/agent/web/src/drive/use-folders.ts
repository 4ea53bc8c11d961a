import { useEffect, useState } from 'react'
import { listFolderNames } from '../api/server.ts'
import { useProblemText } from '../api/use-problem-text.ts'

/** Names of the folders in `path`; undefined while they load or when they did not. */
export function useFolders(path: string): { folders: string[] | undefined; problem: string | undefined } {
  const problemText = useProblemText()
  const [answer, setAnswer] = useState<{ path: string; folders?: string[]; error?: unknown }>()
  useEffect(() => {
    let current = true
    listFolderNames(path).then(
      (folders) => current && setAnswer({ path, folders }),
      (error: unknown) => current && setAnswer({ path, error }),
    )
    return () => {
      current = false
    }
  }, [path])
  if (answer?.path !== path) return { folders: undefined, problem: undefined }
  return { folders: answer.folders, problem: answer.error === undefined ? undefined : problemText(answer.error) }
}
