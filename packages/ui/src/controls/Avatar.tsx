import classes from './Avatar.module.css'
import { patternOf } from './avatar-pattern.ts'

/** White on each is at least 4.5:1. */
const grounds = ['#4F6B7C', '#7C674A', '#5E6B47', '#7A5562', '#5A5F86', '#3F7069']

function groundOf(id: string): string {
  let sum = 0
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0
  return grounds[sum % grounds.length] as string
}

/** Five cells a side, the same left and right: it distinguishes people without a name. */
function Pattern({ id }: { id: string }) {
  return (
    <svg viewBox="0 0 9 9" width="100%" height="100%" fill="currentColor" aria-hidden="true">
      {patternOf(id).map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x + 2} y={y + 2} width="1" height="1" />
      ))}
    </svg>
  )
}

interface AvatarProps {
  /** Decides the colour: the DID. */
  id: string
  /** Its first letter is shown; null: a pattern made from the id. */
  name: string | null
  src?: string | null
  /** px */
  size?: number
}

/**
 * A person's picture, or one made from the id: a colour, and the first letter of the name or a pattern. Decoration
 * beside the name.
 */
export function Avatar({ id, name, src, size = 24 }: AvatarProps) {
  const box = {
    width: size,
    height: size,
    fontSize: Math.round(size * 0.42),
    background: src ? undefined : groundOf(id),
  }
  return (
    // The letter is drawn by the style sheet: it is no text, and no part of the name of the button it stands in.
    <span
      className={classes.avatar}
      style={box}
      aria-hidden="true"
      data-letter={src ? undefined : name?.trim()[0]?.toUpperCase()}
    >
      {src && <img src={src} alt="" width={size} height={size} />}
      {!src && name === null && <Pattern id={id} />}
    </span>
  )
}
