/** A check in a ring, for a code that was approved. On white whatever the scheme, like the code. */
export function ApprovedMark() {
  return (
    <svg width="64" height="64" viewBox="0 0 64 64" fill="none" stroke="#0F7B87" strokeWidth="3" aria-hidden="true">
      <circle cx="32" cy="32" r="30" />
      <path d="M21 33l8 8l15-16" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
