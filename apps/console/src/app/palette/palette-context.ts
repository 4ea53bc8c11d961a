import { createContext, use } from 'react'

export interface PaletteState {
  /** The words of what was typed. */
  words: readonly string[]
  /** The option that Enter chooses. */
  activeId: string | undefined
  setActive: (id: string) => void
  /** Closes the palette, then does it. */
  choose: (act: () => void) => void
}

export const PaletteContext = createContext<PaletteState | undefined>(undefined)

export function usePalette(): PaletteState {
  const state = use(PaletteContext)
  if (!state) throw new Error('usePalette outside of CommandPalette')
  return state
}
