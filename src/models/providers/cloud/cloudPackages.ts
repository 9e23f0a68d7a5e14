/** Loaded when a model of a cloud is asked; not together with the other providers, because few users have one. */
export { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
// The entries without Google's library for signing in: the token comes from elsewhere.
export { createGoogleVertex } from '@ai-sdk/google-vertex/edge';
export { createGoogleVertexAnthropic } from '@ai-sdk/google-vertex/anthropic/edge';
export { AwsV4Signer } from 'aws4fetch';
