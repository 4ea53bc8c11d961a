import { Component, type ReactNode } from 'react'
import { text } from '../../locales/text.ts'
import { LoadFailure } from './LoadFailure.tsx'

interface PartBoundaryProps {
  /** It broke: shown elsewhere, and nothing stands in its place. Left out: what failed stands there, with a new try. */
  onBroken?: (error: Error) => void
  children: ReactNode
}

/** Keeps what breaks while it is drawn to itself: the rest of the page stays usable. */
export class PartBoundary extends Component<PartBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override componentDidCatch(thrown: unknown) {
    this.props.onBroken?.(thrown instanceof Error ? thrown : new Error(String(thrown)))
  }

  override render() {
    const { error } = this.state
    const { onBroken, children } = this.props
    if (!error) return children
    if (onBroken) return null
    return (
      <LoadFailure
        title={text('failure.unknown')}
        error={new Error('', { cause: error })}
        onRetry={async () => this.setState({ error: undefined })}
      />
    )
  }
}
