import classes from './Selection.module.css'

interface PickProps {
  label: string
  checked: boolean
  /** Some of what it stands for is chosen. */
  mixed?: boolean
  onChange(): void
}

/** A box to choose an entry with, or all of them. */
export function Pick({ label, checked, mixed = false, onChange }: PickProps) {
  return (
    <label className={classes.pick}>
      <input
        type="checkbox"
        aria-label={label}
        className={classes.box}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        onChange={onChange}
      />
    </label>
  )
}
