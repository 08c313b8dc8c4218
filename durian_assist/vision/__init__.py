"""Vision: from photo to reading. The only package that imports cv2."""

import os

# The products here are small: several threads wait for each other longer than they compute (50 ms instead of 2 for
# a comparison with all faces on a busy machine). Must be set before numpy is loaded; the user's own choice stands.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
