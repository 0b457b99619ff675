// A kind of authentication methods: how they are listed, added, changed and removed. One file per kind; index.ts lists them.
// - `begin` starts the enrolment of a method and answers what confirms it; `verify` confirms it, with the session of that answer.
// - What a request names is looked up among the caller's own methods.
import type * as z from 'zod'
import type { HttpRequest } from '../../../http/message'
import type { MfaSubject } from '../../../identity/mfa/deps'
import type { Enrolments } from '../../../identity/mfa/enrolled'
import type { Bearer } from '../../../protocols/oauth/bearer'
import type { Runtime } from '../../runtime/runtime'
import type { BodyMembers } from '../read-body'

export type MyAccountCall = Bearer & { request: HttpRequest; runtime: Runtime }

/** A call that may change how the person signs in. */
export type MyAccountChange = MyAccountCall & {
  enrolments: Enrolments
  /** Whether the login has proven a factor, so that another may be added beside it. */
  vouched: boolean
  subject: MfaSubject
}

/** A method as the API presents it, without its usage. */
export type PresentedMethod = { id: string; type: string; created_at: string } & Readonly<Record<string, unknown>>

export type StartedEnrolment = { id: string; body: { auth_session: string } & Readonly<Record<string, unknown>> }

export type Changes = { name?: string | undefined; preferred_authentication_method?: 'sms' | 'voice' | undefined }

export type MethodKind = {
  usage: 'primary' | 'secondary'
  /** The bodies of `begin`, by the type in them. */
  begins: Readonly<Record<string, () => z.ZodObject>>
  /** The body of `verify`. */
  verifies: () => z.ZodObject
  owns(id: string): boolean
  /** The types that the person can add. */
  available(call: MyAccountCall): Promise<readonly string[]>
  list(call: MyAccountCall): Promise<PresentedMethod[]>
  begin(call: MyAccountChange, members: BodyMembers): Promise<StartedEnrolment>
  /** Answers the id of the confirmed method. */
  verify(call: MyAccountChange, id: string, members: BodyMembers): Promise<string>
  /** False if there is no such method. */
  change(call: MyAccountChange, id: string, changes: Changes): Promise<boolean>
  remove(call: MyAccountChange, id: string): Promise<boolean>
}
