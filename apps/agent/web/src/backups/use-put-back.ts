import type { PutBack } from '@atoll/contract/personal-server-backups'
import { useEffect, useState } from 'react'
import { beginPutBack, getPutBack } from '../api/backups.ts'
import { ApiProblem } from '../api/call.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import { useText } from '../i18n/text.ts'

/** How often it is asked how far it is, ms. */
const askEveryMs = 500

/** Putting one entry back: the server works in the background, and is asked until it has ended. */
export function usePutBack() {
  const t = useText()
  const problemText = useProblemText()
  const [job, setJob] = useState<PutBack>()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = job?.state === 'running' ? job.id : undefined

  useEffect(() => {
    if (running === undefined) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        const now = await getPutBack(running, stop.signal)
        if (now.state === 'running') return wait()
        setJob(now)
        if (now.problem) setError(new ApiProblem(now.problem))
      } catch (problem) {
        if (stop.signal.aborted) return
        // The line may be cut for a moment; a restarted server knows nothing of it.
        if (problem instanceof ApiProblem && problem.code === 'unreachable') return wait()
        setJob(undefined)
        setError(problem instanceof ApiProblem && problem.code === 'notFound' ? 'lost' : problem)
      }
    }
    const wait = () => {
      timer = setTimeout(() => void ask(), askEveryMs)
    }
    wait()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [running])

  const sayWhy = () => (error === 'lost' ? t('backups.putBackLost') : problemText(error))
  return {
    busy: isSending || running !== undefined,
    problem: error === undefined ? undefined : sayWhy(),
    placed: job?.placed ?? undefined,
    async begin(order: Parameters<typeof beginPutBack>[0]): Promise<void> {
      setSending(true)
      setError(undefined)
      try {
        setJob(await beginPutBack(order))
      } catch (problem) {
        setError(problem)
      } finally {
        setSending(false)
      }
    },
  }
}
