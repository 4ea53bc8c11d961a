import classes from './Avatar.module.css'

/** White on each is at least 4.5:1. */
const grounds = ['#4F6B7C', '#7C674A', '#5E6B47', '#7A5562', '#5A5F86', '#3F7069']

function groundOf(id: string): string {
  let sum = 0
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0
  return grounds[sum % grounds.length] as string
}

interface AvatarProps {
  /** Decides the colour: the DID. */
  id: string
  /** Its first letter is shown. */
  name: string
  src?: string | null
  /** px */
  size?: number
}

/** A person's picture, or the first letter of the name on a colour made from the id. Decoration beside the name. */
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
      data-letter={src ? undefined : (name.trim()[0] ?? '').toUpperCase()}
    >
      {src && <img src={src} alt="" width={size} height={size} />}
    </span>
  )
}
