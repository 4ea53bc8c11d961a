import { codeFromFragment } from '@atoll/contract/identity'
import { createFileRoute, Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { z } from 'zod'
import { ApproveAct } from '../approval/ApproveAct.tsx'
import { ApproveRequest } from '../approval/ApproveRequest.tsx'
import { UnreadableCode } from '../scan/UnreadableCode.tsx'
import { readCode } from '../sign/reading.ts'

/** The code stands in the fragment. `via` says that this wallet scanned or was given it; absent: a link brought it. */
export const Route = createFileRoute('/approve')({
  validateSearch: z.object({ via: z.enum(['scan']).optional().catch(undefined) }),
  component: Approve,
})

function Approve() {
  const navigate = useNavigate()
  const { via } = Route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const text = codeFromFragment(hash)
  const reading = useMemo(() => readCode(text), [text])
  if (reading.kind === 'domain') return <Navigate to="/domain/$base" params={{ base: reading.base }} replace />
  if (reading.kind === 'unknown')
    return (
      <UnreadableCode
        reason={reading.reason}
        text={text}
        onScanAgain={() => void navigate({ to: '/scan', replace: true })}
      />
    )
  if (reading.kind === 'act') return <ApproveAct key={text} code={reading.code} />
  // A new code is a new request: nothing of the last one's state may carry over.
  return <ApproveRequest key={text} code={text} request={reading.request} byLink={via === undefined} />
}
