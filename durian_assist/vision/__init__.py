"""Vision: from photo to reading. The only package that imports cv2."""
