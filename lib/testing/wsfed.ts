// A WS-Federation relying party: what it sends, and an unmodified library as the judge of what it gets.
import { Strategy } from 'passport-wsfed-saml2'
import { locationOf, submitPassword } from './journey'
import { formOf } from './saml'
import type { Answer, Browser } from './server'

export const RELYING_PARTY = {
  clientId: 'portal',
  settings: {
    callbacks: ['https://portal.test/wsfed', 'https://portal.test/other'],
    allowed_logout_urls: ['https://portal.test/bye'],
    client_aliases: ['https://portal.test/', 'portal realm'],
  },
}

export type Posted = { action: string; wa: string; wresult: string; wctx: string | undefined }

export function postedBy(answer: Answer): Posted {
  const { action, fields } = formOf(answer.text)
  return { action, wa: fields.wa ?? '', wresult: fields.wresult ?? '', wctx: fields.wctx }
}

/** From the request to what is posted to the relying party, signing in on the way. */
export async function signInByWsFed(browser: Browser, username: string, query: Record<string, string> = {}) {
  const started = await browser.get('/wsfed', { query: { wtrealm: 'urn:portal', ...query } })
  const state = locationOf(started).searchParams.get('state') ?? ''
  return postedBy(await submitPassword(browser, state, username))
}

type Verdict = { profile?: Record<string, unknown>; error?: Error }

/** What passport-wsfed-saml2 makes of it, with the certificate that our metadata names. */
export function judge(posted: Posted, options: { realm: string; cert: string; jwt?: object }): Promise<Verdict> {
  return new Promise((resolve) => {
    const recipientUrl = posted.action
    const strategy = new Strategy({ ...options, recipientUrl, protocol: 'wsfed' }, (profile, done) =>
      done(null, profile),
    )
    Object.assign(strategy, {
      success: (profile: Record<string, unknown>) => resolve({ profile }),
      fail: (reason: unknown) => resolve({ error: reason instanceof Error ? reason : new Error(String(reason)) }),
      error: (error: Error) => resolve({ error }),
    })
    const body = { wa: posted.wa, wresult: posted.wresult, wctx: posted.wctx }
    strategy.authenticate({ method: 'POST', body, query: {}, headers: {} }, {})
  })
}
