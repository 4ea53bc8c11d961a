import '@mantine/core/styles/SegmentedControl.layer.css'
import type { Locale } from '@atoll/contract/wire'
import { languageNames } from '@atoll/ui/i18n'
import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { IconLock, IconPasswordMobilePhone } from '@tabler/icons-react'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { requireUnlocked } from '../guard.ts'
import { chooseLocale, currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { autoLockChoices, readAutoLock, writeAutoLock } from '../keys/auto-lock.ts'
import { keychain } from '../keys/use-keychain.ts'
import { ActionRow, ListRows, SettingRow } from '../kit/ListRows.tsx'
import classes from '../kit/Settings.module.css'
import { Screen } from '../kit/screens/Screen.tsx'

export const Route = createFileRoute('/settings')({ beforeLoad: requireUnlocked, component: Settings })

const schemes = ['light', 'dark', 'auto'] as const

function Settings() {
  const t = useText()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [autoLock, setAutoLock] = useState(() => readAutoLock(localStorage))
  const chooseAutoLock = (value: string) => {
    const minutes = autoLockChoices.find((choice) => String(choice) === value)
    if (!minutes) return
    writeAutoLock(localStorage, minutes)
    setAutoLock(minutes)
  }
  return (
    <Screen title={t('settings.title')} leave={{ icon: 'back', to: '/' }}>
      <ListRows>
        <SettingRow label={t('settings.language')}>
          <SegmentedControl
            aria-label={t('settings.language')}
            value={currentLocale()}
            onChange={(locale) => void chooseLocale(locale as Locale) /* data holds nothing but locales */}
            data={languageNames.map(({ locale, name }) => ({ value: locale, label: name }))}
          />
        </SettingRow>
        <SettingRow label={t('settings.appearance')}>
          <SegmentedControl
            aria-label={t('settings.appearance')}
            value={colorScheme}
            onChange={setColorScheme}
            data={schemes.map((value) => ({ value, label: t(`settings.${value}`) }))}
          />
        </SettingRow>
        <SettingRow label={t('settings.autoLock')}>
          <SegmentedControl
            aria-label={t('settings.autoLock')}
            value={String(autoLock)}
            onChange={chooseAutoLock}
            data={autoLockChoices.map((count) => ({ value: String(count), label: t('settings.minutes', { count }) }))}
          />
        </SettingRow>
      </ListRows>
      <ListRows>
        <ActionRow
          icon={<IconPasswordMobilePhone size={18} stroke={1.6} aria-hidden="true" />}
          onSelect={() => void navigate({ to: '/change-passcode' })}
        >
          {t('settings.changePasscode')}
        </ActionRow>
        <ActionRow icon={<IconLock size={18} stroke={1.6} aria-hidden="true" />} onSelect={() => keychain.lock()}>
          {t('settings.lockNow')}
        </ActionRow>
      </ListRows>
      <p className={classes.about}>{t('settings.about')}</p>
    </Screen>
  )
}
