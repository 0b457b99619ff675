// The apps of clients on phones (the client's `mobile`), which may open this host's links and use its passkeys. Only first-party
// clients are listed: anyone may register another.
import * as z from 'zod'

const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/i

const ANDROID_PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
const IOS_BUNDLE = /^[A-Za-z0-9.-]+$/

export const mobileApps = z.object({
  android: z
    .object({
      app_package_name: z
        .string()
        .max(256)
        .regex(ANDROID_PACKAGE, 'must be the name of a package')
        .optional()
        .meta({ title: 'Android package', help: 'Such as com.example.shop.', group: 'mobile', order: 81 }),
      /** Of the certificates that sign the app. */
      sha256_cert_fingerprints: z
        .array(
          z.string().regex(FINGERPRINT, 'must be a SHA-256 fingerprint: 32 bytes in hexadecimal, separated by colons'),
        )
        .max(20)
        .optional()
        .meta({
          title: 'Android certificates',
          help: 'SHA-256 fingerprints of what signs the app.',
          group: 'mobile',
          order: 82,
        }),
    })
    .optional(),
  ios: z
    .object({
      team_id: z
        .string()
        .regex(/^[A-Za-z0-9]{10}$/, 'must be ten letters and digits')
        .optional()
        .meta({ title: 'Apple team', help: 'Ten letters and digits.', group: 'mobile', order: 83 }),
      app_bundle_identifier: z
        .string()
        .max(255)
        .regex(IOS_BUNDLE, 'must be the identifier of a bundle')
        .optional()
        .meta({ title: 'Apple bundle', help: 'Such as com.example.shop.', group: 'mobile', order: 84 }),
    })
    .optional(),
})

export type MobileApps = z.output<typeof mobileApps>

/** Digital Asset Links: the apps that may open the host's links, and use its credentials. */
export const assetLinks = (apps: readonly MobileApps[]) =>
  apps.flatMap(({ android: { app_package_name: name, sha256_cert_fingerprints: fingerprints = [] } = {} }) =>
    name === undefined || fingerprints.length === 0
      ? []
      : [
          {
            relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
            target: {
              namespace: 'android_app',
              package_name: name,
              sha256_cert_fingerprints: fingerprints.map((each) => each.toUpperCase()),
            },
          },
        ],
  )

/** Associated domains: the apps that may open the links of their own path, and use the host's credentials. */
export function siteAssociation(apps: readonly MobileApps[]) {
  const found = apps.flatMap(({ ios: { team_id: team, app_bundle_identifier: bundle } = {} }) =>
    team === undefined || bundle === undefined ? [] : [{ appID: `${team}.${bundle}`, paths: [`/ios/${bundle}/*`] }],
  )
  return { applinks: { apps: [], details: found }, webcredentials: { apps: found.map(({ appID }) => appID) } }
}

/** The origin that Android states for an app: the hash of the certificate that signs it. */
export const androidOrigins = ({ android }: MobileApps = {}): string[] =>
  (android?.sha256_cert_fingerprints ?? []).map(
    (each) => `android:apk-key-hash:${Buffer.from(each.replaceAll(':', ''), 'hex').toString('base64url')}`,
  )
