import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../locales/text.ts'

interface DocumentGoneProps {
  title: string
  children: ReactNode
}

/** The address names a document that is not, or not ours; both look the same on purpose. */
export function DocumentGone({ title, children }: DocumentGoneProps) {
  const t = useText()
  return (
    <EmptyState
      page
      title={title}
      actions={
        <Button component={Link} to="/bill">
          {t('money.toBills')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
