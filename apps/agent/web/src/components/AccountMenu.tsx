import type { Locale } from '@atoll/contract/wire'
import { Avatar } from '@atoll/ui'
import { languageNames } from '@atoll/ui/i18n'
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDevices, IconLogout, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { signOut } from '../api/server.ts'
import { chooseLocale, currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { forgetServerState } from '../server-state.ts'
import classes from './AccountMenu.module.css'

interface AccountMenuProps {
  /** The ID signed in as. */
  name: string
  /** Decides the colour of the picture, as in the console and the wallet. */
  did: string
}

const schemes = { light: IconSun, dark: IconMoon, auto: IconSunMoon }
const schemeNames = ['light', 'dark', 'auto'] as const

/** The signed-in name; language, appearance, sign out. */
export function AccountMenu({ name, did }: AccountMenuProps) {
  const t = useText()
  const router = useRouter()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = async () => {
    await signOut()
    forgetServerState()
    await router.navigate({ to: '/sign-in' })
  }
  const check = (on: boolean) => on && <IconCheck size={16} stroke={2.2} aria-hidden="true" />
  const chooseLanguage = (locale: Locale) => void chooseLocale(locale)
  return (
    <Menu position="bottom-end" width={228} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={t('nav.account', { name })}>
          <Avatar id={did} name={name} size={24} />
          <span className={classes.name}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>{name}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('nav.language')}</Menu.Label>
        {languageNames.map(({ locale, name: own }) => (
          <Menu.Item
            key={locale}
            lang={locale}
            rightSection={check(locale === currentLocale())}
            onClick={() => chooseLanguage(locale)}
          >
            {own}
          </Menu.Item>
        ))}
        <Menu.Label>{t('nav.appearance')}</Menu.Label>
        {schemeNames.map((scheme) => {
          const Icon = schemes[scheme]
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}
              rightSection={check(scheme === colorScheme)}
              onClick={() => setColorScheme(scheme)}
            >
              {t(`nav.${scheme}`)}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconDevices size={16} stroke={1.6} aria-hidden="true" />}
          renderRoot={(props) => <Link to="/sessions" {...props} />}
        >
          {t('sessions.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} aria-hidden="true" />} onClick={() => void leave()}>
          {t('nav.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
