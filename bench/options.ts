/** Returns the value of the command line option `--name=value` of a benchmark; undefined without the option. */
export const readOption = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1]

/** Returns the value of the command line option `--name=number`, or `defaultValue` without the option. */
export const readNumberOption = (name: string, defaultValue: number): number =>
  Number(readOption(name) ?? defaultValue)
