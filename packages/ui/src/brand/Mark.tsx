interface MarkProps {
  /** px; at least 16. */
  size?: number
}

/** The mark: three reefs and one islet on a ring. Colours follow the scheme. Decoration: its word stands beside it. */
export function Mark({ size = 24 }: MarkProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      style={{ display: 'block', flex: 'none' }}
      aria-hidden="true"
    >
      <g stroke="var(--atoll-accent-text)" strokeWidth="5" strokeLinecap="round">
        <path d="M21.16 6.29A11 11 0 0 1 26.46 19.40" />
        <path d="M21.50 25.53A11 11 0 0 1 10.84 25.71" />
        <path d="M5.66 19.76A11 11 0 0 1 6.88 9.85" />
      </g>
      <circle cx="13.34" cy="5.33" r="2.5" fill="var(--atoll-accent-line)" />
    </svg>
  )
}
