/** What a page with a WebAuthn ceremony loads: @simplewebauthn/browser (lib/server/node/generate.mjs copies it), and our script. */
const SCRIPTS = ['/simplewebauthn.js', '/passkeys.js']

export const PasskeyScripts = ({ nonce }: { nonce: string | undefined }) => (
  <>
    {SCRIPTS.map((src) => (
      <script key={src} src={src} nonce={nonce} defer />
    ))}
  </>
)
