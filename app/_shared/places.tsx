type Place = { href: string; name: string; text: string }

/** What every server has in addition to the pages of logins, and who may enter. */
export const PLACES: readonly (Place & { inDemo?: string })[] = [
  {
    href: '/console',
    name: 'Console',
    text: 'Applications, users, settings and logs, for administrators.',
    inDemo: 'Ada is the owner.',
  },
  {
    href: '/account',
    name: 'Account',
    text: 'Profile, password, passkeys and sessions of the user who signs in.',
    inDemo: 'Every person of the demo has one.',
  },
  {
    href: '/reference',
    name: 'API reference',
    text: 'All endpoints, described, with forms that send requests. No sign-in is needed to read it.',
  },
]

export const DEMO_PLACES: readonly Place[] = PLACES.map(({ inDemo, ...place }) =>
  inDemo ? { ...place, text: `${place.text} ${inDemo}` } : place,
)

export function PlaceList({ places }: { places: readonly Place[] }) {
  return (
    <ul className="landing-rooms">
      {places.map(({ href, name, text }) => (
        <li key={href}>
          <a className="landing-room" href={href}>
            <span className="landing-name">{name}</span>
            <span className="landing-text">{text}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
