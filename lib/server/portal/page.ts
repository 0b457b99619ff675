// A page of the account portal: what it shows, and what its buttons do. One file per page; index.ts lists them.
import type { HttpRequest, HttpResponse } from '../../http/message'
import type { SignedIn } from '../../login/visitor'
import type { ManagementDeps } from '../../management/deps'
import type { ScreenView, ViewOf } from '../../pages/screens'
import type { NoticeCode, PortalPageName, PortalView } from '../../pages/view'
import type { Runtime } from '../runtime/runtime'

export type PortalCall = SignedIn & {
  /** What the form sent, or the query of the address. */
  input: Readonly<Record<string, string | undefined>>
  /** What a form with a file sent; null for any other. */
  file: Uint8Array | null
  request: HttpRequest
  runtime: Runtime
  management: ManagementDeps
}

export type PortalOutcome =
  /** The same page, with a notice. */
  | { notice: NoticeCode }
  /** Another page of this server. */
  | { to: string }
  | { response: HttpResponse }

export type PortalAction = {
  /** It changes how the user signs in, so it needs a recent authentication (threat-model.md SE7). */
  fresh?: true
  run(call: PortalCall): Promise<PortalOutcome>
}

type ScreenOf<Name extends PortalPageName> = Extract<ScreenView, { screen: `account-${Name}` }>

/** The data of a page beside what all pages have. */
type OwnData<Name extends PortalPageName> = Omit<ViewOf<ScreenOf<Name>['screen']>, keyof PortalView | 'screen'>

export type PortalPage<Name extends PortalPageName = PortalPageName> = {
  /** The page itself needs a recent authentication. */
  fresh?: true
  /** False where the tenant has the feature off, or the user nothing of it: the other pages do not lead here, and this one says why. */
  isOffered?(call: PortalCall): Promise<boolean>
  view(call: PortalCall): Promise<OwnData<Name>>
  actions: Readonly<Record<string, PortalAction>>
}

export const definePage = <Name extends PortalPageName>(_name: Name, page: PortalPage<Name>): PortalPage<Name> => page

/** As many entries as a page shows. */
export const WINDOW = { after: null, limit: 100 }
