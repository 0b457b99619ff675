// Every action there is. Adding one is a file and a line.
import type { LoginScreen } from '../requirements'
import type { Action } from './action'
import { cancel } from './cancel'
import { acceptConsent, denyConsent } from './consent'
import { password } from './password'
import { continueAs, switchAccount } from './select-account'

const ACTIONS: readonly Action[] = [password, continueAs, switchAccount, acceptConsent, denyConsent, cancel]

/** The action of that name, if it may be sent from that screen. */
export const actionFor = (name: string | undefined, screen: LoginScreen): Action | undefined =>
  ACTIONS.find((action) => action.name === name && action.on.includes(screen))
