import type { ReactElement } from 'react'
import type { CaptchaView, DatabaseView, PageCommon, PortalView, WhereView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import type { DoorPosition } from './page-frame'

export type ScreenProps<View> = { view: View & PageCommon; t: Translate }

/** Everything about one screen. `View` is its data, without the name, which lib/pages/screens.ts adds. */
export type ScreenDefinition<View> = {
  /** The title of the document, without the tenant's name. */
  title(view: View, t: Translate): string
  component(props: ScreenProps<View>): ReactElement
  /** Views for the tests of the renderer, the texts and accessibility; the first is the usual one. */
  samples: readonly [View, ...View[]]
  /** The door of the frame; ajar by default. */
  door?: DoorPosition
  /** Whether the page polls its own address, because another device has to answer. */
  waits?(view: View): boolean
  /** Whether the page has a WebAuthn ceremony, or signals for the browser's passkeys. */
  passkeys?(view: View): boolean
  /** The captcha of its form. */
  captcha?(view: View): CaptchaView | undefined
  /** The addresses that the page frames. */
  frames?(view: View): readonly string[]
}

export const defineScreen = <View>(definition: ScreenDefinition<View>): ScreenDefinition<View> => definition

export const SAMPLE_DATABASES: DatabaseView[] = [
  { name: 'Staff', label: 'Staff', chosen: true },
  { name: 'Partners', label: 'Partners of Example Ltd' },
]

/** For samples. */
export const SAMPLE_CLIENT = { name: 'Harbour Notes' }
export const SAMPLE_FORM = { action: '/u/submit', state: 'the-state' }
export const SAMPLE_CAPTCHAS: readonly [CaptchaView, CaptchaView, CaptchaView] = [
  // No number has this digest: a small range keeps the page from searching for seconds.
  { kind: 'work', session: 's', salt: 'salt', target: '00ff', max: 100 },
  { kind: 'code' },
  {
    kind: 'widget',
    script: 'https://captcha.example/api.js',
    place: 'captcha-place',
    siteKey: 'the-key',
    sources: { scripts: ['https://captcha.example'], frames: ['https://captcha.example'] },
  },
]
export const SAMPLE_WHERE: WhereView = { browser: 'Firefox', system: 'Linux', ip: '2001:db8::1' }
export const SAMPLE_PORTAL: PortalView = {
  confirmation: 'the-confirmation',
  pages: ['profile', 'password', 'passkeys', 'factors', 'sessions', 'connections', 'activity', 'data'],
  account: { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' },
}
