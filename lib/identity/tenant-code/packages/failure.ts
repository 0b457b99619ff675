/** Why packages could not be bundled: a sentence for a person. */
export class Failure extends Error {}

/** Where npm or esbuild is missing, or nothing can be written. */
export const notHere = (why: string): Failure =>
  new Failure(
    `This host cannot bundle packages (${why}). Run \`npm run actions -- bundle\` elsewhere and deploy its file.`,
  )
