import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface ObjectGoneProps {
  title: string
  /** To others of its kind; absent: there is nowhere to go. */
  to?: { page: NonNullable<LinkProps['to']>; label: string } | undefined
  children: ReactNode
}

/** The address names an object that is not, or not ours; both look the same on purpose. */
export function ObjectGone({ title, to, children }: ObjectGoneProps) {
  const button = to && <Button renderRoot={(props) => <Link {...props} to={to.page} />}>{to.label}</Button>
  return (
    <EmptyState page title={title} actions={button}>
      {children}
    </EmptyState>
  )
}
