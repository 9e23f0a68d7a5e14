import { foldedParts, namePattern } from './fileNames.ts';

/** Names of files that hold passwords, keys and the like; in the format of the protected files. */
const secret = [
  '.env .env.* .env-* *.env .envrc .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .git-credentials',
  '.htpasswd .dockercfg .docker/config.json .vault-token .terraformrc .s3cfg .boto id_rsa* id_dsa* id_ecdsa* id_ed25519*',
  '*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdb *.kdbx *.asc *.gpg *.agekey *.ovpn .ssh/ .gnupg/ .aws/ .azure/',
  '.gcloud/ .kube/ kubeconfig kubeconfig.* *.kubeconfig credentials credentials.* *.credentials secret secret.* secrets',
  'secrets.* secrets/ .secrets .secrets/ *.secrets *.tfvars *.tfvars.json *.tfstate *.tfstate.* service-account*.json',
  'service_account*.json serviceaccount*.json *-credentials.json *_credentials.json google-services.json auth.json',
  'client_secret*.json .authinfo .authinfo.gpg .pgpass wp-config.php .rclone.conf rclone.conf master.key',
].flatMap((line) => line.split(' ').map(namePattern));

/** Similar names of files that are made to be shared. */
const harmless = [
  '.env.example .env.sample .env.template .env.dist .env.defaults .env.*.example .env.*.sample .env.*.template *.pub',
  'example.env sample.env template.env *.example.env *.sample.env',
].flatMap((line) => line.split(' ').map(namePattern));

/** Source code that handles secrets has similar names. */
const code =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|swift|php|c|cc|cpp|h|hpp|md|mdx|html|css|scss|vue|svelte)$/u;

/**
 * Whether a file's name is typical of files with passwords and keys, so that it is not read without asking.
 * @param path with `/` between its parts
 */
export function isSecretName(path: string): boolean {
  const parts = foldedParts(path);
  const name = parts.at(-1) ?? '';
  if (harmless.some((matches) => matches(parts))) return false;
  if (code.test(name) && name !== 'wp-config.php' && !name.startsWith('.env')) return false;
  return secret.some((matches) => matches(parts));
}
