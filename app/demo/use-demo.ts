'use client'
// The state of the demo app: signed out, busy with the response from the server, or signed in.
import { useCallback, useEffect, useState } from 'react'
import { readAssertion, type ShownAssertion } from './assertion'
import type { LoggedExchange } from './exchange-log'
import { forgetTokens, type HeldTokens, loadLog, loadTokens } from './memory'
import { type DemoProblem, problemOf } from './problems'
import { beginSignIn, completeSignIn, isAnswer, loadUserInfo, refreshTokens, signOut } from './sign-in'
import { invited, type WayIn } from './ways-in'

type Busy = 'starting' | 'returning' | 'leaving' | 'refreshing' | 'asking'

export type Demo = {
  busy: Busy | null
  tokens: HeldTokens | null
  userInfo: Record<string, unknown> | null
  /** What an application of another protocol got. */
  assertion: ShownAssertion | null
  problem: DemoProblem | null
  /** The result of the last action, in one sentence. */
  news: string
  log: LoggedExchange[]
  signIn(wayIn: WayIn): void
  signOut(): void
  refresh(): void
  askUserInfo(): void
  forgetAssertion(): void
}

/** A code can be exchanged once, so there is one exchange however often the page is mounted. */
let arrival: Promise<HeldTokens | null> | undefined

function arrive(): Promise<HeldTokens | null> {
  const query = new URLSearchParams(location.search)
  if (!isAnswer(query)) return Promise.resolve(loadTokens())
  history.replaceState(null, '', location.pathname)
  return completeSignIn(query, location)
}

/** The way in that the address of the page asks for: the link of an invitation. */
function invitation(): WayIn | null {
  const query = new URLSearchParams(location.search)
  const [ticket, organization] = [query.get('invitation'), query.get('organization')]
  return ticket && organization ? invited(ticket, organization) : null
}

/** The response that the server has put into the address. */
function received(): ShownAssertion | null {
  const response = new URLSearchParams(location.hash.slice(1)).get('received')
  if (response === null) return null
  history.replaceState(null, '', location.pathname)
  return readAssertion(response)
}

export function useDemo(): Demo {
  const [busy, setBusy] = useState<Busy | null>('returning')
  const [tokens, setTokens] = useState<HeldTokens | null>(null)
  const [assertion, setAssertion] = useState<ShownAssertion | null>(null)
  const [userInfo, setUserInfo] = useState<Demo['userInfo']>(null)
  const [problem, setProblem] = useState<DemoProblem | null>(null)
  const [news, setNews] = useState('')
  const [log, setLog] = useState<LoggedExchange[]>([])

  const run = useCallback(async (what: Busy, action: () => Promise<void>) => {
    setBusy(what)
    setProblem(null)
    try {
      await action()
      // The redirect is in progress; a second click would start a second sign-in.
      if (what === 'starting' || what === 'leaving') return
    } catch (error) {
      setProblem(problemOf(error))
    }
    setLog(loadLog())
    setBusy(null)
  }, [])

  // The back button restores the page in its former state.
  useEffect(() => {
    const awake = ({ persisted }: PageTransitionEvent) => persisted && setBusy(null)
    window.addEventListener('pageshow', awake)
    return () => window.removeEventListener('pageshow', awake)
  }, [])

  useEffect(() => {
    const way = invitation()
    if (way) {
      history.replaceState(null, '', location.pathname)
      void run('starting', () => beginSignIn(way, location))
      return
    }
    arrival ??= arrive()
    const arrived = arrival
    const response = received()
    if (response) setAssertion(response)
    void run('returning', async () => setTokens(await arrived))
  }, [run])

  return {
    busy,
    tokens,
    userInfo,
    assertion,
    problem,
    news,
    log,
    signIn: (wayIn) => void run('starting', () => beginSignIn(wayIn, location)),
    signOut: () => void run('leaving', () => signOut(location)),
    refresh: () =>
      void run('refreshing', async () => {
        if (!tokens) return
        const fresh = await refreshTokens(tokens, location).catch((error: unknown) => {
          forgetWhenSpent(error, () => setTokens(null))
          throw error
        })
        setTokens(fresh)
        setNews(
          fresh.refreshToken === tokens.refreshToken
            ? 'New access token.'
            : 'New tokens. The old refresh token is spent.',
        )
      }),
    askUserInfo: () =>
      void run('asking', async () => {
        if (!tokens) return
        setUserInfo(await loadUserInfo(tokens, location))
        setNews('The server returned who the access token speaks for.')
      }),
    forgetAssertion: () => setAssertion(null),
  }
}

function forgetWhenSpent(error: unknown, forget: () => void): void {
  if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'invalid_grant') return
  forgetTokens()
  forget()
}
