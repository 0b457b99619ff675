// A virtual authenticator of Chromium (the domain WebAuthn of its DevTools protocol).
import type { CDPSession, Page } from '@playwright/test'

export type VirtualAuthenticator = {
  /** Whether the person touches it and is recognized. */
  answers(present: boolean): Promise<void>
  verifies(verified: boolean): Promise<void>
  credentials(): Promise<{ credentialId: string; signCount: number; userDisplayName?: string }[]>
  clear(): Promise<void>
}

export async function virtualAuthenticator(
  page: Page,
  { transport = 'internal' as 'internal' | 'usb', userVerified = true } = {},
): Promise<VirtualAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: userVerified,
      automaticPresenceSimulation: true,
    },
  })
  return {
    answers: async (enabled) =>
      void (await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    verifies: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    clear: async () => void (await cdp.send('WebAuthn.clearCredentials', { authenticatorId })),
  }
}
