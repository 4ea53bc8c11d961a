/**
 * Defaults of the Mantine components we use. Written as plain records, not with `Component.extend`, so that the theme
 * pulls no component into a page that does not show it.
 */
import { type MantineThemeComponents, rem } from '@mantine/core'
import classes from './components.module.css'

/** Button and icon-button heights: 30, 36, 44 (design language, "Buttons"). */
const buttonVars: Record<string, { height: number; padding: number; font: number; radius: number }> = {
  xs: { height: 30, padding: 11, font: 13, radius: 7 },
  sm: { height: 36, padding: 14, font: 14, radius: 8 },
  lg: { height: 44, padding: 18, font: 15, radius: 10 },
  xl: { height: 52, padding: 20, font: 16, radius: 12 },
}

interface SizedProps {
  size?: string | number
  radius?: string | number
}

export const componentDefaults: MantineThemeComponents = {
  Button: {
    defaultProps: { size: 'sm', variant: 'default' },
    classNames: { root: classes.button, label: classes.buttonLabel, section: classes.buttonSection },
    vars: (_theme: unknown, props: SizedProps) => {
      const measures = buttonVars[String(props.size ?? 'sm')]
      if (!measures) return { root: {} }
      return {
        root: {
          '--button-height': rem(measures.height),
          '--button-padding-x': rem(measures.padding),
          '--button-fz': rem(measures.font),
          '--button-radius': rem(measures.radius),
        },
      }
    },
  },
  ActionIcon: {
    defaultProps: { size: 30, variant: 'subtle', radius: 7 },
    classNames: { root: classes.actionIcon },
  },
  TextInput: { defaultProps: { size: 'sm' }, classNames: inputClasses() },
  NativeSelect: { defaultProps: { size: 'sm' }, classNames: inputClasses() },
  NumberInput: { defaultProps: { size: 'sm' }, classNames: inputClasses() },
  PasswordInput: { defaultProps: { size: 'sm' }, classNames: inputClasses() },
  Textarea: { defaultProps: { size: 'sm' }, classNames: inputClasses() },
  Paper: { defaultProps: { radius: 'lg', withBorder: true, shadow: 'none' }, classNames: { root: classes.surface } },
  Card: { defaultProps: { radius: 'lg', withBorder: true, shadow: 'none' }, classNames: { root: classes.surface } },
  Menu: {
    defaultProps: {
      radius: 'lg',
      shadow: 'md',
      offset: 6,
      withinPortal: true,
      // A presentational child of a menu; without it the first item takes focus, as menus do.
      withInitialFocusPlaceholder: false,
      transitionProps: { duration: 180, transition: 'pop' },
    },
    classNames: {
      dropdown: classes.menu,
      item: classes.menuItem,
      itemSection: classes.menuSection,
      label: classes.menuLabel,
      divider: classes.menuDivider,
    },
  },
  Popover: { defaultProps: { radius: 'lg', shadow: 'md' }, classNames: { dropdown: classes.menu } },
  Tooltip: { defaultProps: { radius: 'sm', openDelay: 300, offset: 6 }, classNames: { tooltip: classes.tooltip } },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'xl',
      shadow: 'xl',
      size: rem(440),
      withCloseButton: false,
      overlayProps: { color: 'var(--atoll-scrim)', backgroundOpacity: 1 },
      transitionProps: { duration: 240, transition: 'fade' },
    },
    classNames: {
      inner: classes.modalInner,
      content: classes.modal,
      header: classes.modalHeader,
      title: classes.modalTitle,
      body: classes.modalBody,
      overlay: classes.modalOverlay,
    },
  },
  SegmentedControl: {
    defaultProps: { size: 'sm', radius: 'md' },
    classNames: {
      root: classes.segmented,
      label: classes.segmentedLabel,
      indicator: classes.segmentedIndicator,
      control: classes.segmentedControl,
    },
  },
  Skeleton: { defaultProps: { radius: 5 }, classNames: { root: classes.skeleton } },
}

function inputClasses() {
  return { input: classes.input, label: classes.label, description: classes.help, error: classes.fieldError }
}
