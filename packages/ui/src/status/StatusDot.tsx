import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import classes from './StatusBadge.module.css'

interface StatusDotProps {
  colour: BadgeColour
  shape: BadgeShape
  /** px */
  size?: number
}

/** Hue says how it is, shape says whether it moves: disc at rest, turning ring, square ended, hollow ring waiting. */
export function StatusDot({ colour, shape, size = 10 }: StatusDotProps) {
  return (
    <svg
      className={classes.dot}
      data-colour={colour}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="none"
      aria-hidden="true"
    >
      {shape === 'disc' && <circle cx="5" cy="5" r="3.5" fill="currentColor" />}
      {shape === 'square' && <rect x="1.7" y="1.7" width="6.6" height="6.6" rx="1.2" fill="currentColor" />}
      {shape === 'hollow' && <circle cx="5" cy="5" r="3.3" stroke="currentColor" strokeWidth="1.6" />}
      {shape === 'ring' && (
        <>
          <circle cx="5" cy="5" r="3.7" stroke="currentColor" strokeOpacity=".3" strokeWidth="1.7" />
          <path
            className={classes.turning}
            d="M5 1.3A3.7 3.7 0 0 1 8.7 5"
            stroke="currentColor"
            strokeWidth="1.9"
            strokeLinecap="round"
          />
        </>
      )}
    </svg>
  )
}
